import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react';
import { useQuery } from 'urql';
import { useFormatter, useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField } from '../../../ui/Field';
import { Empty } from '../../../ui/States';
import { ownPath } from '../../api/image';
import { Loaded } from '../../shell/Loaded';
import { pageName } from '../../shell/pageName';
import css from './Picker.module.css';
import { isActedOn, meantAt, read, targetsOf, type Element, type Point } from './picking';
import { PickableScreenshotsDocument, type Pickable } from './query';
import type { Target } from './selector';
import { useElements } from './useElements';
import { useTargetWords } from './words';

interface Props {
  /** Those of the website. */
  groupIds: string[];
  onPick: (targets: Target[]) => void;
  onClose: () => void;
}

/** A click into a screenshot of the website chooses the element of a step. */
export function Picker({ groupIds, onPick, onClose }: Props) {
  const t = useTranslations('flows.picker');
  const device = useTranslations('device');
  const format = useFormatter();
  const [{ data, error }, ask] = useQuery({ query: PickableScreenshotsDocument, variables: { groupIds }, requestPolicy: 'network-only' });
  const [chosen, setChosen] = useState<string>();
  const [targets, setTargets] = useState<Target[]>([]);
  const pages = newest(data?.screenshots.nodes ?? []);
  const page = pages.find(({ id }) => id === chosen) ?? pages[0];
  const label = (shot: Pickable) =>
    t('page', {
      name: pageName(shot.address),
      device: device(shot.device),
      time: format.dateTime(new Date(shot.createdAt), { dateStyle: 'medium', timeStyle: 'short' }),
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button look="primary" disabled={targets.length === 0} onClick={() => onPick(targets)}>
        {t('use')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      about={t('about')}
      closeLabel={t('cancel')}
      actions={actions}
      wide
    >
      <Loaded data={data} error={error} retry={ask}>
        {() =>
          page === undefined ? (
            <Empty title={t('none')}>{t('noneAbout')}</Empty>
          ) : (
            <>
              <SelectField
                label={t('screenshot')}
                value={page.id}
                options={pages.map((each) => ({ value: each.id, label: label(each) }))}
                onChange={(id) => {
                  setChosen(id);
                  setTargets([]);
                }}
              />
              <Pick key={page.id} page={page} onChange={setTargets} />
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** The newest screenshot of each page on each device. */
function newest(screenshots: readonly Pickable[]): Pickable[] {
  const seen = new Set<string>();
  return screenshots.filter(({ address, device, link }) => {
    const key = `${device} ${address}`;
    const first = link !== null && !seen.has(key);
    seen.add(key);
    return first;
  });
}

interface PickProps {
  page: Pickable;
  onChange: (targets: Target[]) => void;
}

/** The picture to click into, and a list of its elements for the keyboard. */
function Pick({ page, onChange }: PickProps) {
  const t = useTranslations('flows.picker');
  const words = useTargetWords();
  const { state, elements, retry } = useElements(page.id);
  const reading = useMemo(() => read(elements), [elements]);
  const [picked, setPicked] = useState<Element>();
  const mark = useRef<HTMLSpanElement>(null);
  const targets = picked === undefined ? [] : targetsOf(picked, reading);
  const pick = (element: Element | undefined) => {
    setPicked(element);
    onChange(element === undefined ? [] : targetsOf(element, reading));
  };
  useEffect(() => {
    void mark.current?.scrollIntoView({ block: 'nearest' }); // some browsers answer with a promise, which is nothing to clean up with
  }, [picked]);

  const listed = elements.filter((element) => element === picked || (isActedOn(element) && element.selector !== ''));
  const nameOf = (element: Element) => {
    const [best] = targetsOf(element, reading);
    return best === undefined ? (reading.words.get(element) ?? '') : words(best);
  };
  const share = (part: number, whole: number | null) => `${(100 * part) / (whole ?? 1)}%`;
  return (
    <>
      <SelectField
        label={t('element')}
        value={picked === undefined ? '' : String(picked.number)}
        options={[
          { value: '', label: t(state === 'loading' ? 'loading' : 'choose') },
          ...listed.map((element) => ({ value: String(element.number), label: nameOf(element) })),
        ]}
        onChange={(number) => pick(elements.find((element) => String(element.number) === number))}
        hint={targets.length === 0 ? undefined : t('foundBy', { ways: targets.map(words).join(` ${t('or')} `) })}
      />
      {state === 'notStored' && <p className={css.quiet}>{t('noElements')}</p>}
      {state === 'failed' && (
        <p role="alert">
          {t('failed')} <Button onClick={retry}>{t('retry')}</Button>
        </p>
      )}
      <div className={css.picture} onPointerUp={(event) => pick(meantAt(elements, placeIn(event, page)))}>
        <img className={css.image} src={ownPath(page.link ?? '')} alt={t('alt', { name: pageName(page.address) })} draggable={false} />
        {picked !== undefined && (
          <span
            ref={mark}
            className={css.mark}
            style={{
              left: share(picked.box.x, page.width),
              top: share(picked.box.y, page.height),
              width: share(picked.box.width, page.width),
              height: share(picked.box.height, page.height),
            }}
          />
        )}
      </div>
    </>
  );
}

/** The pixel of the image that was clicked. */
function placeIn(event: PointerEvent<HTMLElement>, page: Pickable): Point {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return {
    x: Math.floor(((event.clientX - left) / width) * (page.width ?? 0)),
    y: Math.floor(((event.clientY - top) / height) * (page.height ?? 0)),
  };
}
