import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { useAction } from '../../shell/action';
import { SelectAllDocument, type Head } from './query';

/** Switches a device for every URL of a group. */
export function AllDevices({ group, onDone }: { group: Head; onDone: () => void }) {
  const t = useTranslations('group.all');
  const { act, busy } = useAction(SelectAllDocument);
  const change = async (device: 'DESKTOP' | 'MOBILE', enabled: boolean) => {
    const data = await act({ groupId: group.id, device, enabled }, t('done'));
    if (data !== undefined) {
      onDone();
    }
  };
  return (
    <Menu
      trigger={<Button busy={busy}>{t('devices')}</Button>}
      items={(['DESKTOP', 'MOBILE'] as const).flatMap((device) =>
        [true, false].map((on) => ({ label: t(`${device}.${on ? 'on' : 'off'}`), run: () => void change(device, on) })),
      )}
    />
  );
}
