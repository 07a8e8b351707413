export * from '../person';

/** A text that would rename the page if it ever became code. */
export const hostile = `<img src=x onerror="document.title='hostile'"><script>document.title='hostile'</script>`;
