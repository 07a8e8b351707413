import comparison from '../features/comparison/en.json';
import flows from '../features/flows/en.json';
import group from '../features/group/en.json';
import home from '../features/home/en.json';
import review from '../features/review/en.json';
import rules from '../features/rules/en.json';
import runs from '../features/runs/en.json';
import settings from '../features/settings/en.json';
import sites from '../features/sites/en.json';
import start from '../features/start/en.json';
import website from '../features/website/en.json';
import common from './en.json';

export default { ...common, comparison, flows, group, home, review, rules, runs, settings, sites, start, website };
