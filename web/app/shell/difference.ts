import { useFormatter } from 'use-intl';

interface Compared {
  measure: 'ALIGNED' | 'PLAIN';
  differencePercent: number;
  alignedPercent: number;
}

const least = 0.01; // percent

/** Writes the difference that was compared with the threshold. What is not nothing never reads as 0 %. */
export function useDifference(): (comparison: Compared) => string {
  const format = useFormatter();
  const write = (percent: number) => format.number(percent / 100, { style: 'percent', maximumFractionDigits: 2 });
  return ({ measure, differencePercent, alignedPercent }) => {
    const percent = measure === 'ALIGNED' ? alignedPercent : differencePercent;
    return percent > 0 && percent < least ? `< ${write(least)}` : write(percent);
  };
}
