import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';

import { Page } from '../../../ui/Page';
import { codeOf } from '../../api/problem';
import { useRefreshable } from '../../api/refreshable';
import { Loaded } from '../../shell/Loaded';
import { Missing } from '../../shell/Missing';
import { Editor } from './Editor';
import { draftOf, emptyDraft } from './draft';
import { FlowDocument, FlowWebsiteDocument } from './query';

const edited = getRouteApi('/flows/$flowId/edit');
const added = getRouteApi('/sites/$websiteId/flows/new');

/** The editor of a flow. What others change meanwhile does not touch what is being written. */
export function EditFlow() {
  const t = useTranslations('flows.editor');
  const { flowId: id } = edited.useParams();
  const { data, error, refresh } = useRefreshable({ query: FlowDocument, variables: { id } });
  if ((error !== undefined && codeOf(error) === 'NOT_FOUND') || data?.flow === null) {
    return <Missing />;
  }
  return (
    <Page title={t('title')} heading={t('titleOf', { name: data?.flow?.name ?? '…' })}>
      <Loaded data={data} error={error} retry={refresh}>
        {({ flow }) =>
          flow !== null && <Editor key={flow.id} flowId={flow.id} websiteId={flow.websiteId} website={flow.website} start={draftOf(flow)} />
        }
      </Loaded>
    </Page>
  );
}

/** The editor of a new flow. */
export function NewFlow() {
  const t = useTranslations('flows.editor');
  const { websiteId: id } = added.useParams();
  const { data, error, refresh } = useRefreshable({ query: FlowWebsiteDocument, variables: { id } });
  if ((error !== undefined && codeOf(error) === 'NOT_FOUND') || data?.website === null) {
    return <Missing />;
  }
  return (
    <Page title={t('newTitle')} about={t('about')}>
      <Loaded data={data} error={error} retry={refresh}>
        {({ website }) => website !== null && <Editor websiteId={website.id} website={website} start={emptyDraft(website.domain)} />}
      </Loaded>
    </Page>
  );
}
