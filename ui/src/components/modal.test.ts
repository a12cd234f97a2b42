import { render, waitFor } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import Modal from './Modal.svelte';

it.each([
  [900, '0', 'region'],
  [300, null, null],
])(
  'takes the focus for its content only while that scrolls: %s pixels',
  async (height, at, role) => {
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
    const sizes = { scrollHeight: { value: height }, clientHeight: { value: 300 } };
    Object.defineProperties(content, sizes);
    measure();
    await waitFor(() => expect(content.getAttribute('tabindex')).toBe(at));
    expect(content.getAttribute('role')).toBe(role);
  },
);
