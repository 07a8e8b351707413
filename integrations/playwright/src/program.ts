import { spawn } from 'node:child_process';

/** Runs the program with its output on ours, and returns its exit code. */
export function run(program: string, args: string[], environment: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } });
    child.on('error', (error) => reject(missing(program, error)));
    child.on('close', (code) => resolve(code ?? 2));
  });
}

/** Gives the program lines on standard input, and returns the lines that it answers. */
export function ask(program: string, args: string[], lines: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (answer += text));
    child.stdin.on('error', () => undefined); // it ended early: its exit says so
    child.on('error', (error) => reject(missing(program, error)));
    child.on('close', () => resolve(answer.split('\n').filter(Boolean)));
    child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  });
}

function missing(program: string, cause: Error): Error {
  return new Error(
    `The program ${program} cannot be started: ${cause.message}. Put afterimage on the PATH, or name it with the option binary or ` +
      'the variable AFTERIMAGE_BINARY.',
  );
}
