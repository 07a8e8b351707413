import { CircleCheck } from 'lucide-react';

import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Panel';
import { Empty, Loading, Problem } from '../ui/States';
import { Table } from '../ui/Table';
import { Tabs } from '../ui/Tabs';

const nothing = () => undefined;

export function PanelStates() {
  return (
    <>
      <Panel title="With title" actions={<Button size="small">Action</Button>}>
        <p>What belongs together.</p>
      </Panel>
      <Panel>
        <p>Without a title.</p>
      </Panel>
    </>
  );
}

export function TabStates() {
  return (
    <Tabs label="Parts">
      <a href="#one" aria-current="page">
        Chosen
      </a>
      <a href="#two">Other</a>
      <a href="#three">Third</a>
    </Tabs>
  );
}

export function TableStates() {
  return (
    <Table label="Sites" columns={['Site', 'Status', '']}>
      {['example.com', 'a.rather.long.name.of.a.site.that.wraps.example.com', 'مثال.example 🦊'].map((site, index) => (
        <tr key={site}>
          <th scope="row">
            <bdi>{site}</bdi>
          </th>
          <td data-label="Status">
            <Badge tone={index === 1 ? 'alert' : 'good'}>{index === 1 ? '3 to review' : 'fine'}</Badge>
          </td>
          <td>
            <Button size="small" look="quiet">
              Open
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function NoteStates() {
  return (
    <>
      <Loading label="Loading" rows={2} />
      <Empty icon={<CircleCheck aria-hidden="true" />} title="Nothing needs review" action={<Button look="primary">Add a site</Button>}>
        All changes have been reviewed and no run was missed.
      </Empty>
      <Problem
        title="This could not be loaded"
        message="The server cannot reach its database right now. Try again shortly."
        retry={{ label: 'Try again', run: nothing }}
      />
    </>
  );
}
