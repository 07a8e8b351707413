// Moves a square on the canvas that it is given, frame by frame, for ever.
onmessage = ({ data: canvas }) => {
  const paint = canvas.getContext('2d');
  const draw = (time) => {
    paint.fillStyle = '#eef'; paint.fillRect(0, 0, 600, 300);
    paint.fillStyle = '{{mover}}'; paint.fillRect(Math.round(260 + 250 * Math.sin(time / 900)), 100, 80, 80);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
};
