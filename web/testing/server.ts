import { waitFor } from '@testing-library/react';
import { getOperationAST, graphql, GraphQLError, execute, parse, type GraphQLFieldResolver } from 'graphql';

import { emptiest, schema } from './schema';

/** What a test lets the server answer: a value, or a function of the arguments that may throw what refused() makes. */
export type Answers = Readonly<Record<string, unknown>>;

interface Asked {
  name: string;
  variables: Record<string, unknown>;
}

interface Body {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** Somebody who subscribed to what happens. */
interface Follower {
  body: Body;
  send: (result: unknown) => void;
  /** Breaks the connection. */
  drop: () => void;
}

/** Takes a field from what a test gave, with the arguments if that is a function. */
const resolve: GraphQLFieldResolver<Answers, unknown> = (source, args, _, info) => {
  const given = source[info.fieldName];
  const value: unknown = typeof given === 'function' ? (given as (args: unknown) => unknown)(args) : given;
  if (value !== undefined) {
    return value;
  }
  if (['Query', 'Mutation', 'Subscription'].includes(info.parentType.name)) {
    throw new Error(`The test has to say what the server answers to ${info.fieldName}.`);
  }
  return emptiest(info.returnType, info);
};

/** The service as the dashboard sees it: it answers by the real schema what a test has given it, and notes what it was asked. */
export class Server {
  readonly asked: Asked[] = [];
  /** Whether it cannot be reached. */
  down = false;
  /** How long answers take, in milliseconds. */
  pause = 0;
  /** The status of all answers; 401 once the session has ended. */
  status = 200;
  readonly #answers: Record<string, unknown>;
  readonly #followers = new Map<string, Follower>();

  constructor(answers: Answers) {
    this.#answers = { ...answers };
  }

  /** From now on it answers something else to these. */
  answers(answers: Answers): void {
    Object.assign(this.#answers, answers);
  }

  /** The variables of each request with an operation of this name, oldest first. */
  variablesOf(name: string): Record<string, unknown>[] {
    return this.asked.filter((each) => each.name === name).map(({ variables }) => variables);
  }

  async post(body: Body): Promise<Response> {
    if (this.down) {
      throw new TypeError('Failed to fetch');
    }
    if (this.pause > 0) {
      await new Promise((done) => setTimeout(done, this.pause));
    }
    const variables = body.variables ?? {};
    this.asked.push({ name: getOperationAST(parse(body.query))?.name?.value ?? '', variables });
    if (this.status !== 200) {
      return Response.json({ errors: [{ message: 'not signed in', extensions: { code: 'UNAUTHENTICATED' } }] }, { status: this.status });
    }
    const result = await graphql({
      schema,
      source: body.query,
      rootValue: this.#answers,
      variableValues: variables,
      fieldResolver: resolve,
    });
    const unforeseen = result.errors?.find(({ extensions }) => extensions['code'] === undefined);
    if (unforeseen !== undefined) {
      console.error(unforeseen); // fails the test, see browser.ts
    }
    return Response.json(result);
  }

  /** Somebody subscribes; the returned function ends it. */
  follow(id: string, follower: Follower): () => void {
    this.#followers.set(id, follower);
    return () => this.#followers.delete(id);
  }

  /** Breaks the connection of all who follow the account. */
  async hangUp(): Promise<void> {
    await this.#followed();
    this.#followers.forEach(({ drop }) => drop());
  }

  async #followed(): Promise<void> {
    await waitFor(() => {
      if (this.#followers.size === 0) {
        throw new Error('Nobody follows the account.');
      }
    });
  }

  /** Tells all who follow the account what happened, once somebody does. */
  async tell(accountLive: Answers): Promise<void> {
    await this.#followed();
    for (const { send, body } of this.#followers.values()) {
      send(
        await execute({
          schema,
          document: parse(body.query),
          rootValue: { accountLive },
          variableValues: body.variables ?? {},
          fieldResolver: resolve,
        }),
      );
    }
  }
}

/** What the server answers to what it does not do; with fields, each by its path in the input. */
export function refused(code: string, message: string, fields: Readonly<Record<string, string>> = {}): GraphQLError {
  const refusals = Object.entries(fields).map(([path, words]) => ({ path, rule: 'invalid', message: words }));
  return new GraphQLError(message, { extensions: { code, ...(refusals.length > 0 && { fields: refusals }) } });
}

let current: Server | undefined;

/** The server that this test's page talks to. */
export function serve(server: Server | undefined): void {
  current = server;
}

export function serving(): Server {
  if (current === undefined) {
    throw new Error('No server was given to the page: see show().');
  }
  return current;
}
