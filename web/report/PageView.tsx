import { useEffect, useState } from 'react';

import { Viewer } from '../viewer';
import type { ComparedPage, Report } from './data';
import { addressOf, overview } from './route';

interface PageViewProps {
  readonly report: Report;
  readonly page: ComparedPage;
  readonly number: number;
  readonly change: string | null;
}

/** One page on one device, both sides beside each other. */
export function PageView({ report, page, number, change }: PageViewProps) {
  const [selected, setSelected] = useState(change);
  const [asked, setAsked] = useState(change);
  if (asked !== change) {
    setAsked(change);
    setSelected(change);
  }
  const select = (id: string | null) => {
    setSelected(id);
    history.replaceState(null, '', addressOf(number, id ?? undefined));
  };
  useEffect(() => {
    document.documentElement.classList.add('with-viewer');
    return () => document.documentElement.classList.remove('with-viewer');
  }, []);
  return (
    <main className="guest">
      <header className="head">
        <h1>
          {page.path} <small>{page.device}</small>
        </h1>
        <p className="facts">
          <a href={overview}>All changes</a>
          <Neighbour report={report} number={number} by={-1} label="Previous page" />
          <Neighbour report={report} number={number} by={1} label="Next page" />
          <span>{page.percent.toFixed(2)} % changed</span>
        </p>
      </header>
      {page.comparison ? (
        <div id="viewer">
          <Viewer comparison={page.comparison} selected={selected} onSelect={select} />
        </div>
      ) : (
        <p className="plain">{page.problem ?? page.headline}</p>
      )}
    </main>
  );
}

/** A link to the next page that has something to show. */
function Neighbour({ report, number, by, label }: { report: Report; number: number; by: 1 | -1; label: string }) {
  for (let at = number + by; at >= 0 && at < report.pages.length; at += by) {
    if (report.pages[at]?.comparison) {
      return <a href={addressOf(at)}>{label}</a>;
    }
  }
  return null;
}
