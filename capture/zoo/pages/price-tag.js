customElements.define('price-tag', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<div style="height:150px;background:{{content}}"></div>';
  }
});
