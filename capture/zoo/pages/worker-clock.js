// Tells after two seconds how much time has passed by its clocks and how often an interval of 100 ms.
const [date, time] = [Date.now(), performance.now()];
let times = 0;
const interval = setInterval(() => times++, 100);
setTimeout(() => {
  clearInterval(interval);
  postMessage(`${Math.round(performance.now() - time)} ${+new Date() - date} ${times}`);
}, 2000);
