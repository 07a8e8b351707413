// One comparison in a process of its own, for peers that have no command.
import { readFileSync } from 'node:fs';
import { contenders } from './contenders.mjs';

const [name, before, after] = process.argv.slice(2);
const contender = await contenders[name]();
console.log(await contender.compare(readFileSync(before), readFileSync(after)));
