'use strict';

// The burger opens the menu on narrow screens.
const burger = document.querySelector('.burger');
const menu = document.querySelector('.menu');
burger.addEventListener('click', () => {
  const open = menu.classList.toggle('open');
  burger.setAttribute('aria-expanded', String(open));
});

// Carousels advance by themselves, unless the visitor wishes less motion.
const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
for (const carousel of document.querySelectorAll('[data-carousel]')) {
  const track = carousel.querySelector('.track');
  const slides = [...track.children];
  const dots = carousel.querySelector('.dots');
  let current = 0;

  const show = (index) => {
    current = index % slides.length;
    track.style.transform = `translateX(${-slides[current].offsetLeft}px)`;
    [...dots.children].forEach((dot, i) => {
      dot.setAttribute('aria-current', String(i === current));
    });
  };

  slides.forEach((_, index) => {
    const dot = document.createElement('button');
    dot.type = 'button';
    dot.setAttribute('aria-label', `Picture ${index + 1}`);
    dot.addEventListener('click', () => show(index));
    dots.append(dot);
  });
  show(0);
  if (!calm) {
    window.setInterval(() => show(current + 1), Number(carousel.dataset.carousel));
  }
}
