// Draws ten bars on the canvas that it is given, one every 60 ms.
onmessage = ({ data: canvas }) => {
  const paint = canvas.getContext('2d');
  let n = 0;
  const draw = () => {
    paint.fillStyle = n < 9 ? '{{third}}' : '{{content}}';
    paint.fillRect(60 * n, 0, 60, 200);
    if (++n < 10) setTimeout(draw, 60);
  };
  draw();
};
