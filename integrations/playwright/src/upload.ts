/** How the screenshots of a run are sent: the flags of afterimage upload. */
export interface UploadOptions {
  /** Name or id of the group; by default that of AFTERIMAGE_GROUP. */
  group?: string;
  /** These are the screenshots before the change, as on the main branch; by default if AFTERIMAGE_PRE is 1. */
  pre?: boolean;
  /** Name of the run, for example branch and commit. */
  name?: string;
  /** Id of the build; by default that of AFTERIMAGE_BUILD or of the pipeline. Shards of one build fill one run. */
  build?: string;
  /** Put before all names, with a slash. */
  prefix?: string;
  /** What fails the run; "unsure" by default. */
  failOn?: 'alert' | 'unsure' | 'any';
  /** Folder that receives the report. */
  report?: string;
  /** False ends without waiting for the comparisons. */
  wait?: boolean;
  /** Time limit, such as "10m". */
  timeout?: string;
}

/** The arguments of afterimage upload; null without a group. */
export function uploadArguments(
  folder: string, options: UploadOptions, shard: { current: number; total: number } | null,
): string[] | null {
  const { AFTERIMAGE_GROUP, AFTERIMAGE_PRE } = process.env;
  const group = options.group ?? AFTERIMAGE_GROUP;
  if (!group) {
    return null;
  }
  const pre = options.pre ?? AFTERIMAGE_PRE === '1';
  const args = ['upload', folder, `--group=${group}`];
  const flag = (name: string, value: string | undefined) => value && args.push(`--${name}=${value}`);
  flag('name', options.name);
  flag('build', options.build ?? buildOfPipeline());
  flag('shard', shard === null ? undefined : `${shard.current}/${shard.total}`);
  flag('prefix', options.prefix);
  flag('timeout', options.timeout);
  if (pre) {
    args.push('--pre');
  } else {
    flag('fail-on', options.failOn);
    flag('report', options.report);
  }
  if (options.wait === false) {
    args.push('--no-wait');
  }
  return args;
}

/** The id that all jobs of one pipeline share. */
function buildOfPipeline(): string | undefined {
  const { AFTERIMAGE_BUILD, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, CI_PIPELINE_ID, CIRCLE_WORKFLOW_ID, BUILDKITE_BUILD_ID } = process.env;
  const github = GITHUB_RUN_ID && `${GITHUB_RUN_ID}-${GITHUB_RUN_ATTEMPT ?? '1'}`;
  return AFTERIMAGE_BUILD || github || CI_PIPELINE_ID || CIRCLE_WORKFLOW_ID || BUILDKITE_BUILD_ID || undefined;
}
