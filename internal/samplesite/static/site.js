'use strict';

// The burger opens the menu on narrow screens.
const burger = document.querySelector('.burger');
const menu = document.querySelector('.menu');
burger.addEventListener('click', () => {
  const open = menu.classList.toggle('open');
  burger.setAttribute('aria-expanded', String(open));
});

// Carousels advance by themselves for ever, whatever the visitor's system says
// about motion: many real sites do that, and a capture has to cope with it.
for (const carousel of document.querySelectorAll('[data-carousel]')) {
  const track = carousel.querySelector('.track');
  const dots = carousel.querySelector('.dots');
  // A wide window shows several slides, so the last ones need no stop.
  const furthest = track.scrollWidth - carousel.clientWidth;
  const stops = [...track.children].filter((slide) => slide.offsetLeft <= furthest + 1);
  let current = 0;

  const show = (index) => {
    current = index % stops.length;
    track.style.transform = `translateX(${-stops[current].offsetLeft}px)`;
    [...dots.children].forEach((dot, i) => {
      dot.setAttribute('aria-current', String(i === current));
    });
  };

  stops.forEach((_, index) => {
    const dot = document.createElement('button');
    dot.type = 'button';
    dot.setAttribute('aria-label', `Picture ${index + 1}`);
    dot.addEventListener('click', () => show(index));
    dots.append(dot);
  });
  show(0);
  window.setInterval(() => show(current + 1), Number(carousel.dataset.carousel));
}
