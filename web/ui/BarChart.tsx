import { AxisBottom, AxisLeft } from '@visx/axis';
import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';

import css from './BarChart.module.css';
import { join } from './join';

interface Bar {
  /** Distinguishes the bar from the others, in the order of the axis. */
  key: string;
  /** What the axis says below it. */
  label: string;
  /** One figure for each series, from the bottom up. None is negative. */
  parts: readonly number[];
  /** The whole bar in words, for whoever points at it. */
  title: string;
}

interface Props {
  /** What the chart shows, for those who cannot see it. */
  label: string;
  /** One or two series. */
  series: readonly string[];
  bars: readonly Bar[];
  format: (figure: number) => string;
}

const height = 168;
const margin = { top: 8, right: 24, bottom: 24, left: 44 };
const words = { className: css.label ?? '' };
const colours = [css.first, css.second];

/** Stacked bars with axes. A chart repeats in shapes what a table says in figures: screen readers get its label alone. */
export function BarChart({ label, series, bars, format }: Props) {
  const { parentRef, width } = useParentSize({ debounceTime: 0 });
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const x = scaleBand({ domain: bars.map(({ key }) => key), range: [0, inner.width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, Math.max(1, ...bars.map(heightOf))], range: [inner.height, 0], nice: 4 });
  const labels = new Map(bars.map((bar) => [bar.key, bar.label]));
  return (
    <figure className={css.chart} role="img" aria-label={label}>
      <div className={css.legend}>
        {series.map((name, place) => (
          <span key={name} className={colours[place]}>
            {name}
          </span>
        ))}
      </div>
      <div ref={parentRef} className={css.space}>
        {inner.width > 0 && (
          <svg width={width} height={height}>
            <g transform={`translate(${margin.left} ${margin.top})`}>
              <AxisLeft
                scale={y}
                tickValues={y.ticks(4).filter(Number.isInteger)}
                tickFormat={(figure) => format(Number(figure))}
                hideAxisLine
                tickLength={0}
                tickLabelProps={{ ...words, dx: -6, dy: 4, textAnchor: 'end' }}
              />
              {y.ticks(4).map((figure) => (
                <line key={figure} className={css.line} x2={inner.width} y1={y(figure)} y2={y(figure)} />
              ))}
              {bars.map((bar) => (
                <g key={bar.key}>
                  <Parts parts={bar.parts} x={x(bar.key) ?? 0} width={x.bandwidth()} y={y} />
                  <rect className={css.slot} fillOpacity={0.5} x={x(bar.key)} width={x.bandwidth()} height={inner.height}>
                    <title>{bar.title}</title>
                  </rect>
                </g>
              ))}
              <AxisBottom
                top={inner.height}
                scale={x}
                tickValues={everySoOften(bars, inner.width)}
                tickFormat={(key) => labels.get(key) ?? key}
                hideTicks
                axisLineClassName={css.line ?? ''}
                tickLabelProps={{ ...words, dy: 2, textAnchor: 'middle' }}
              />
            </g>
          </svg>
        )}
      </div>
    </figure>
  );
}

function Parts({ parts, x, width, y }: { parts: readonly number[]; x: number; width: number; y: (figure: number) => number }) {
  let below = 0;
  return parts.map((part, place) => {
    const bottom = y(below);
    below += part;
    return (
      <rect key={place} className={join(css.part, colours[place])} x={x} y={y(below)} width={width} height={bottom - y(below)} rx={1} />
    );
  });
}

const heightOf = ({ parts }: Bar) => parts.reduce((sum, part) => sum + part, 0);

/** The keys of the bars that have a label, so that labels have 64 pixels each. */
function everySoOften(bars: readonly Bar[], width: number): string[] {
  const step = Math.max(1, Math.ceil((64 * bars.length) / Math.max(width, 1)));
  return bars.filter((_, place) => (bars.length - 1 - place) % step === 0).map(({ key }) => key);
}
