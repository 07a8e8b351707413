// Thinks for a while and answers.
onmessage = () => {
  let sum = 0;
  for (let i = 0; i < 2_000_000; i++) sum += Math.sqrt(i);
  setTimeout(() => postMessage(sum), 300);
};
