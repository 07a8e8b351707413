import { Choices } from '../ui/Choices';
import { SelectField, TextArea, TextField } from '../ui/Field';
import { Select } from '../ui/Select';
import { SwitchField } from '../ui/Switch';
import { TagsField } from '../ui/TagsField';

const nothing = () => undefined;

const devices = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'mobile', label: 'Mobile' },
  { value: 'print', label: 'Print', disabled: true },
] as const;

export function FieldStates() {
  return (
    <>
      <TextField label="Empty" placeholder="https://example.com" hint="A hint says what is expected." />
      <TextField label="Filled" value="https://example.com/a/rather/long/address/that/does/not/fit/into/the/field/at/all" readOnly />
      <TextField label="Refused" value="nowhere" readOnly problem="The address must begin with http:// or https://." />
      <TextField label="Disabled" value="https://example.com" readOnly disabled />
      <TextArea label="Several lines" rows={3} defaultValue={'https://example.com/one\nhttps://example.com/two'} />
      <SelectField label="Choice" value="mobile" options={devices} onChange={nothing} />
    </>
  );
}

export function SwitchStates() {
  return (
    <>
      <SwitchField label="Off" checked={false} onChange={nothing} hint="A hint says what follows." />
      <SwitchField label="On" checked onChange={nothing} />
      <SwitchField label="Off and disabled" checked={false} onChange={nothing} disabled />
      <SwitchField label="On and disabled" checked onChange={nothing} disabled />
    </>
  );
}

export function ChoiceStates() {
  return (
    <>
      <Choices label="Devices" options={devices} chosen={['desktop']} onChange={nothing} hint="At least one." />
      <Choices label="Devices, refused" options={devices} chosen={[]} onChange={nothing} problem="Select at least one device." />
      <Choices label="Devices, disabled" options={devices} chosen={['mobile']} onChange={nothing} disabled />
    </>
  );
}

export function SelectStates() {
  return (
    <>
      <Select label="Sort by" value="desktop" options={devices} onChange={nothing} />
      <Select
        label="Long"
        value="long"
        options={[{ value: 'long', label: 'A choice with a rather long name that does not fit' }]}
        onChange={nothing}
      />
    </>
  );
}

export function TagsStates() {
  const remove = (tag: string) => `Remove ${tag}`;
  return (
    <>
      <TagsField
        label="No tags"
        tags={[]}
        known={['Blog']}
        removeLabel={remove}
        onChange={nothing}
        hint="Press Enter or comma to add a tag."
      />
      <TagsField
        label="Tags"
        tags={['Blog', 'Smoke test', 'A rather long tag that hardly fits in']}
        known={[]}
        removeLabel={remove}
        onChange={nothing}
      />
      <TagsField label="Refused" tags={['Blog']} known={[]} removeLabel={remove} onChange={nothing} problem="A URL has 20 tags at most." />
      <TagsField label="Disabled" tags={['Blog']} known={[]} removeLabel={remove} onChange={nothing} disabled />
    </>
  );
}
