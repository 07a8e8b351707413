import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

import css from './Menu.module.css';
import { join } from './join';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

/** A button that opens a list of things to do. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className={css.positioner}>
          <Base.Popup className={css.popup}>
            {items.map((item) => (
              <Base.Item
                key={item.label}
                className={join(css.item, item.danger === true && css.danger)}
                disabled={item.disabled ?? false}
                onClick={item.run}
              >
                {item.icon}
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
