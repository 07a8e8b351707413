import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

import { compareWithBaseline } from './baseline.js';
import { factsType, type Facts } from './facts.js';
import { run } from './program.js';
import { writeFolder, type Shot } from './shots.js';
import { uploadArguments, type UploadOptions } from './upload.js';

/** Options of the reporter. Without a group, the screenshots are compared with those in the folder baseline. */
export interface AfterimageReporterOptions extends UploadOptions {
  /** The program; by default that of AFTERIMAGE_BINARY, or afterimage on the PATH. */
  binary?: string;
  /** Address of the server; by default that of AFTERIMAGE_SERVER. */
  server?: string;
  /** API token with the scope RUN; by default that of AFTERIMAGE_TOKEN. */
  token?: string;
  /** Without a server: the folder with the screenshots to compare with; "afterimage" beside the configuration by default. */
  baseline?: string;
  /** Without a server: the folder that receives pictures of the differences; "afterimage-report" by default. */
  output?: string;
}

/** Sends the screenshots of all tests that passed, waits for the comparisons, prints them and fails the run by failOn. */
export default class AfterimageReporter implements Reporter {
  private config?: FullConfig;
  private readonly shots = new Map<string, Shot[]>(); // by test

  constructor(private readonly options: AfterimageReporterOptions = {}) {}

  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig, _suite: Suite): void {
    this.config = config;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.shots.delete(test.id); // of an attempt before
    if (result.status === 'passed') {
      this.shots.set(test.id, this.shotsOf(test, result));
    }
  }

  private shotsOf(test: TestCase, result: TestResult): Shot[] {
    const shots: Shot[] = [];
    result.attachments.forEach((attachment, n) => {
      const picture = result.attachments[n - 1]?.path;
      if (attachment.contentType !== factsType || attachment.body === undefined || picture === undefined) {
        return;
      }
      const facts = JSON.parse(attachment.body.toString()) as Facts;
      const project = test.parent.project()?.name ?? '';
      if ((this.config?.projects.length ?? 1) > 1 && project !== '') {
        facts.name = `${project}/${facts.name}`;
      }
      shots.push({ facts, picture, test: test.titlePath().filter(Boolean).join(' › ') });
    });
    return shots;
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    if (result.status === 'interrupted') {
      return undefined; // what is missing would look removed
    }
    const shots = [...this.shots.values()].flat();
    const folder = await mkdtemp(join(tmpdir(), 'afterimage-'));
    try {
      await writeFolder(folder, shots);
      const passed = await this.compare(folder, shots);
      return passed ? undefined : { status: 'failed' };
    } catch (error) {
      console.error(`afterimage: ${error instanceof Error ? error.message : String(error)}`);
      return { status: 'failed' };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Compares the screenshots, and reports whether nothing among them fails the run. */
  private async compare(folder: string, shots: Shot[]): Promise<boolean> {
    const { options, config } = this;
    const program = options.binary ?? process.env['AFTERIMAGE_BINARY'] ?? 'afterimage';
    const upload = uploadArguments(folder, options, config?.shard ?? null);
    if (shots.length === 0 && (upload === null || (config?.shard ?? null) === null)) {
      console.log('afterimage: no passed test took a screenshot.');
      return true;
    }
    if (upload === null) {
      const beside = config?.configFile === undefined ? process.cwd() : dirname(config.configFile);
      return compareWithBaseline(program, shots, {
        baseline: resolve(beside, options.baseline ?? 'afterimage'),
        output: resolve(beside, options.output ?? 'afterimage-report'),
        update: config?.updateSnapshots ?? 'missing',
      });
    }
    if (config?.updateSnapshots === 'all' || config?.updateSnapshots === 'changed') {
      console.log('afterimage: --update-snapshots does not update screenshots of a group: approve its changes, or send the screenshots with pre.');
    }
    const { server, token } = options;
    const code = await run(program, upload, { ...(server && { AFTERIMAGE_SERVER: server }), ...(token && { AFTERIMAGE_TOKEN: token }) });
    return code === 0;
  }
}
