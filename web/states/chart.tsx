import { BarChart } from '../ui/BarChart';

const days = [0, 4, 12, 12, 7, 30, 2, 0, 0, 18, 25, 3].map((unchanged, day) => ({
  key: String(day),
  label: `Day ${day + 1}`,
  parts: [unchanged, Math.floor(unchanged / 5)],
  title: `Day ${day + 1}`,
}));

export function ChartStates() {
  return (
    <>
      <BarChart label="Comparisons" series={['Without changes', 'Changes']} bars={days} format={String} />
      <BarChart label="Nothing yet" series={['Screenshots']} bars={days.map((day) => ({ ...day, parts: [0] }))} format={String} />
    </>
  );
}
