import type { CacheExchangeOpts } from '@urql/exchange-graphcache';

// Objects are shared between queries by their type and id. Most types say
// which: an id that is a UUID. These have an id that is none, or none that
// stays the same object, and live inside the object that holds them.
const embedded = () => null;

export const cacheOptions: Partial<CacheExchangeOpts> = {
  // Objects without an id live inside the object that holds them, which is what is wanted here: no reason to warn.
  logger: (severity, message) => {
    if (!message.startsWith('Invalid key')) {
      console[severity](message);
    }
  },
  keys: {
    // Numbers within one comparison.
    AiRegion: embedded,
    ChangedRegion: embedded,
    // The name that somebody had at that time.
    Person: embedded,
    // A URL within a group.
    Selection: (data) => `${String(data['groupId'])}/${String(data['urlId'])}`,
    // What a URL was in a group that it has left.
    RemovedUrl: embedded,
    // A step of a flow has the same id in all of its runs.
    FlowRunStep: embedded,
    // Of the trial that lists it.
    FlowTrialStep: embedded,
    // A change within the batch that lists it.
    BatchChange: embedded,
    // Of the viewer's account.
    Brand: embedded,
    Retention: embedded,
    Storage: embedded,
    FreedStorage: embedded,
  },
};
