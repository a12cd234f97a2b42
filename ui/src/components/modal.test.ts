import { render, waitFor } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import Modal from './Modal.svelte';

it('takes the focus for its content only while that scrolls', async () => {
  let measure = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        measure = changed;
      }
      observe() {}
      disconnect() {}
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const children = createRawSnippet(() => ({ render: () => '<p>Keys</p>' }));
  render(Modal, { props: { open: true, title: 'Keys', onclose: () => {}, children } });
  const content = document.querySelector('.content')!;
  let height = 900;
  Object.defineProperties(content, {
    scrollHeight: { get: () => height },
    clientHeight: { value: 300 },
  });
  const stop = () => [content.getAttribute('tabindex'), content.getAttribute('role')];
  measure();
  await waitFor(() => expect(stop()).toEqual(['0', 'region']));
  height = 300;
  measure();
  await waitFor(() => expect(stop()).toEqual([null, null]));
});
