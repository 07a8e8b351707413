import { ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

import { Button } from '../../../ui/Button';
import { Field, TextField } from '../../../ui/Field';
import { Panel } from '../../../ui/Panel';
import type { BrandQuery } from '../../api/generated/graphql';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { useAction } from '../../shell/action';
import css from './Branding.module.css';
import settings from './Settings.module.css';
import { fromBase64, isColor, largestLogo, inkOn, toBase64 } from './brand';
import { BrandDocument, UpdateBrandDocument } from './query';

type Brand = BrandQuery['brand'];

/** How public pages and reports look. */
export function Branding() {
  const { data, error, refresh } = useRefreshable({ query: BrandDocument, requestPolicy: 'cache-and-network' });
  return (
    <Loaded data={data} error={error} retry={refresh}>
      {({ brand }) => <BrandForm key={`${brand.color}/${brand.logo}`} brand={brand} onSaved={refresh} />}
    </Loaded>
  );
}

const fileOf = (logo: string | null) => (logo === null ? null : fromBase64(logo, 'image/png'));

/** The file of a logo as the browser shows it; undefined for none. */
function useAddress(file: Blob | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (file === null) {
      return undefined;
    }
    const made = URL.createObjectURL(file);
    // oxlint-disable-next-line react/set-state-in-effect -- only an effect can give the address back
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [file]);
  return address;
}

function BrandForm({ brand, onSaved }: { brand: Brand; onSaved: () => void }) {
  const t = useTranslations('settings.branding');
  const own = brand.inherited ? { color: null, logo: null } : brand;
  const [color, setColor] = useState(own.color ?? '');
  const [logo, setLogo] = useState<Blob | null>(() => fileOf(own.logo));
  const [above] = useState(() => fileOf(brand.logo)); // shown while nothing is chosen here
  const [chosen, setChosen] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const nothing = color === '' && logo === null;
  const address = useAddress(nothing && brand.inherited ? above : logo);
  const { act, busy, problems } = useAction(UpdateBrandDocument);
  const choose = (file: File | null) => {
    setTooLarge(file !== null && file.size > largestLogo);
    if (file === null || file.size <= largestLogo) {
      setLogo(file);
      setChosen(true);
    }
  };
  const save = async () => {
    const input = { color: color === '' ? null : color, ...(chosen && { logo: logo === null ? null : await toBase64(logo) }) };
    if ((await act({ input }, t('saved'))) !== undefined) {
      onSaved();
    }
  };
  return (
    <Panel title={t('title')}>
      <p className={css.about}>{brand.inherited ? t('inherited', { name: brand.name }) : t('about')}</p>
      <form
        className={settings.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className={settings.columns}>
          <Field label={t('logo')} hint={t('logoAbout')} problem={tooLarge ? t('tooLarge') : problems['logo']}>
            <input
              ref={picker}
              type="file"
              className={css.picker}
              accept="image/png,image/jpeg,image/webp"
              aria-label={t('logo')}
              onChange={(event) => choose(event.target.files?.[0] ?? null)}
            />
            <span className={settings.buttons}>
              <Button icon={<ImageUp aria-hidden="true" />} onClick={() => picker.current?.click()}>
                {t('choose')}
              </Button>
              {logo !== null && (
                <Button look="quiet" onClick={() => choose(null)}>
                  {t('remove')}
                </Button>
              )}
            </span>
          </Field>
          <div className={css.color}>
            <input
              type="color"
              aria-label={t('pick')}
              value={isColor(color) ? color : '#3050b5'}
              onChange={(event) => setColor(event.target.value)}
            />
            <TextField
              label={t('color')}
              hint={t('colorAbout')}
              placeholder="#1a5fb4"
              maxLength={7}
              value={color}
              onChange={(event) => setColor(event.target.value.trim())}
              problem={problems['color']}
            />
          </div>
        </div>
        <Preview
          name={brand.name}
          color={nothing && brand.inherited ? (brand.color ?? undefined) : isColor(color) ? color : undefined}
          logo={address}
        />
        <Button type="submit" look="primary" busy={busy} disabled={tooLarge}>
          {t('save')}
        </Button>
      </form>
    </Panel>
  );
}

/** The head of a public page as it would look. */
function Preview({ name, color, logo }: { name: string; color: string | undefined; logo: string | undefined }) {
  const t = useTranslations('settings.branding');
  const colors = color === undefined ? undefined : { background: color, color: inkOn(color) };
  return (
    <figure className={css.preview} aria-label={t('preview')}>
      {(colors !== undefined || logo !== undefined) && (
        <div className={css.band} style={colors}>
          {logo === undefined ? (
            name
          ) : (
            <span className={css.plate}>
              <img src={logo} alt={name} />
            </span>
          )}
        </div>
      )}
      <div className={css.page}>
        <strong>{t('sample')}</strong>
        <span className={css.button} style={colors}>
          {t('sampleButton')}
        </span>
      </div>
    </figure>
  );
}
