import { useState } from 'react';

import type { ComparedPage, GroupedChange, Report } from './data';
import { addressOf } from './route';

const verdicts = { alert: 'Alert', unsure: 'Not sure', good: 'Harmless', equal: 'Equal', failed: 'Not compared' } as const;

/** How many places of a change are listed before the rest is folded. */
const shownPlaces = 8;

/** Every distinct change, the most severe first, and every page. */
export function Overview({ report }: { report: Report }) {
  const counted = report.changes.filter((change) => change.verdict !== 'good' && change.host === undefined);
  const passed = report.changes.filter((change) => !counted.includes(change));
  const unseen = report.pages.filter((page) => page.unseen !== undefined);
  const problems = report.pages.filter((page) => page.verdict === 'failed');
  return (
    <main className="guest">
      <header className="head">
        <h1>{report.summary}</h1>
        <p className="facts">
          <span>
            <strong>{report.after}</strong> compared with <strong>{report.before}</strong>
          </span>
          <span>{report.started}</span>
          <span>{report.engine}</span>
        </p>
      </header>
      <div className="batch">
        {problems.length > 0 && (
          <section>
            <h2>Could not be compared</h2>
            <ul className="problems">
              {problems.map((page) => (
                <li key={`${page.path} ${page.device}`}>
                  {page.path} ({page.device}): {page.problem}
                </li>
              ))}
            </ul>
          </section>
        )}
        {unseen.length > 0 && (
          <section>
            <h2>Not fully captured</h2>
            <ul className="problems">
              {unseen.map((page) => (
                <li key={`${page.path} ${page.device}`}>
                  {page.path} ({page.device}): {verdicts[page.verdict].toLowerCase()}, but not fully captured: {page.unseen}
                </li>
              ))}
            </ul>
          </section>
        )}
        <h2>Changes</h2>
        {counted.length === 0 ? <p className="empty">No changes to review.</p> : <Changes report={report} changes={counted} />}
        {passed.length > 0 && (
          <details className="passed">
            <summary>Also found: harmless changes and differences due to the hosts ({passed.length})</summary>
            <Changes report={report} changes={passed} />
          </details>
        )}
        <h2>Pages</h2>
        <Pages pages={report.pages} />
      </div>
    </main>
  );
}

function Changes({ report, changes }: { report: Report; changes: readonly GroupedChange[] }) {
  return (
    <ol className="changes">
      {changes.map((change) => (
        <li key={change.id}>
          <div>
            <p>
              <span className={`verdict ${change.host === undefined ? change.verdict : 'host'}`}>
                {change.host === undefined ? verdicts[change.verdict] : 'Host'}
              </span>
            </p>
            <p className="what" dir="auto">
              {change.title}
            </p>
            <p className="facts">{change.host ?? change.reason}</p>
            <Places report={report} change={change} />
          </div>
          <div className="crops">
            {(['before', 'after'] as const).map(
              (side) =>
                change[side] && (
                  <figure key={side}>
                    <img src={change[side]} alt={`The change on the site ${side}`} loading="lazy" />
                    <figcaption>{side === 'before' ? 'Before' : 'After'}</figcaption>
                  </figure>
                ),
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The pages that show a change, each with a link to it. */
function Places({ report, change }: { report: Report; change: GroupedChange }) {
  const [all, setAll] = useState(false);
  const places = all ? change.places : change.places.slice(0, shownPlaces);
  return (
    <p className="places">
      {places.map((place) => {
        const page = report.pages[place.page];
        return (
          page && (
            <a key={`${place.page} ${place.change}`} href={addressOf(place.page, place.change)}>
              {page.path} <small>{page.device}</small>
            </a>
          )
        );
      })}
      {places.length < change.places.length && (
        <button type="button" onClick={() => setAll(true)}>
          and {change.places.length - places.length} more
        </button>
      )}
    </p>
  );
}

function Pages({ pages }: { pages: readonly ComparedPage[] }) {
  return (
    <table className="compared">
      <thead>
        <tr>
          <th scope="col">Page</th>
          <th scope="col">Device</th>
          <th scope="col">Verdict</th>
          <th scope="col">Changed</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {pages.map((page, number) => (
          <tr key={`${page.path} ${page.device}`}>
            <td>{page.comparison ? <a href={addressOf(number)}>{page.path}</a> : page.path}</td>
            <td>{page.device}</td>
            <td>
              <span className={`verdict ${page.verdict}`}>{verdicts[page.verdict]}</span>
            </td>
            <td className="number">{page.percent.toFixed(2)} %</td>
            <td dir="auto">{page.problem ?? page.headline}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
