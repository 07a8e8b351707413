import type { ReactNode } from 'react';

import { BadgeStates, ButtonStates, ProgressStates } from './small';
import { ChartStates } from './chart';
import { ChoiceStates, FieldStates, SelectStates, SwitchStates, TagsStates } from './inputs';
import { NoteStates, PanelStates, TableStates, TabStates } from './layout';
import css from './States.module.css';

const themes = ['light', 'dark'] as const;

const components: readonly { name: string; states: ReactNode }[] = [
  { name: 'Button', states: <ButtonStates /> },
  { name: 'Badge', states: <BadgeStates /> },
  { name: 'Progress', states: <ProgressStates /> },
  { name: 'Field', states: <FieldStates /> },
  { name: 'Select', states: <SelectStates /> },
  { name: 'Tags', states: <TagsStates /> },
  { name: 'Switch', states: <SwitchStates /> },
  { name: 'Choices', states: <ChoiceStates /> },
  { name: 'Panel', states: <PanelStates /> },
  { name: 'Tabs', states: <TabStates /> },
  { name: 'Table', states: <TableStates /> },
  { name: 'Bar chart', states: <ChartStates /> },
  { name: 'Loading, empty and problem', states: <NoteStates /> },
];

/** Every component that knows nothing of the product, in each state and in both themes. */
export function States() {
  return (
    <main className={css.page}>
      <h1>Components and their states</h1>
      {components.map(({ name, states }) => (
        <section key={name} className={css.component} aria-label={name}>
          <h2>{name}</h2>
          <div className={css.themes}>
            {themes.map((theme) => (
              <div key={theme} className={css.theme} style={{ colorScheme: theme }} role="group" aria-label={`${name}, ${theme}`}>
                {states}
              </div>
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}
