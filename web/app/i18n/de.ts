import comparison from '../features/comparison/de.json';
import flows from '../features/flows/de.json';
import group from '../features/group/de.json';
import home from '../features/home/de.json';
import review from '../features/review/de.json';
import rules from '../features/rules/de.json';
import runs from '../features/runs/de.json';
import settings from '../features/settings/de.json';
import sites from '../features/sites/de.json';
import start from '../features/start/de.json';
import website from '../features/website/de.json';
import common from './de.json';
import type { Messages } from './messages';

export default { ...common, comparison, flows, group, home, review, rules, runs, settings, sites, start, website } satisfies Messages;
