import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  buildSchema,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';

const folder = join(import.meta.dirname, '../../graph/schema');
const files = readdirSync(folder).filter((name) => name.endsWith('.graphqls'));

/** The schema of the service: what a component asks is held against it, and so is what a test lets the server answer. */
export const schema = buildSchema(files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'));

/** A value of a type for a field of which a test says nothing: null where that may be, else the emptiest there is. */
export function emptiest(type: GraphQLOutputType, info: GraphQLResolveInfo): unknown {
  if (!isNonNullType(type)) {
    return null;
  }
  if (isListType(type.ofType)) {
    return [];
  }
  const named = getNamedType(type);
  if (isEnumType(named)) {
    return named.getValues()[0]?.value;
  }
  if (!isLeafType(named)) {
    return {}; // whose fields are asked for in turn
  }
  switch (named.name) {
    case 'Int':
    case 'Float':
    case 'EventNumber':
      return 0;
    case 'Boolean':
      return false;
    case 'String':
      return '';
    case 'Date':
      return '2026-01-01';
    case 'DateTime':
    case 'ScheduleTime':
      return '2026-01-01T00:00:00Z';
    default:
      throw new Error(`The test has to say what ${info.parentType.name}.${info.fieldName} is.`);
  }
}
