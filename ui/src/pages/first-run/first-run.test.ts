import { fireEvent, waitFor } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { t } from '../../i18n/language.svelte';
import {
  byTestId,
  fill,
  held,
  noteOf,
  press,
  refusal,
  refuses,
  shows,
  startWindow,
  typist,
  type FakeDesk,
  type Reply,
} from '../../testing/desk';
import * as sample from '../../testing/samples';

const report = {
  address: 'good',
  store: 'unclear',
  product: null,
  token: 'good',
  failure: null,
  detail: null,
};

/** The form of a desk without a profile, filled in. */
async function form(token: string, otherwise: Record<string, Reply> = {}): Promise<FakeDesk> {
  const fake = await startWindow('register', {
    status: () => ({ ...sample.status, profile: null }),
    profile_connect: () => sample.live,
    ...otherwise,
  });
  await press('first-connect');
  await fill('connect-base-url', 'https://warranty.example.jp');
  await fill('connect-store-id', 'store-1');
  await fill('connect-token', token);
  return fake;
}

describe('the form that connects a store', () => {
  it('names a refused token at its place', async () => {
    const fake = await form('wrong', { connection_test: () => ({ ...report, token: 'bad' }) });
    await press('connect-test');
    const box = await byTestId('connect-token');
    await waitFor(() => expect(noteOf(box)).toBe('The service refused this token.'));
    expect(fake.called('connection_test')[0]).toMatchObject({
      draft: { baseUrl: 'https://warranty.example.jp', storeId: 'store-1' },
      token: 'wrong',
    });
  });

  it('says what went wrong with a test in the language of the window', async () => {
    const told = {
      address: 'bad',
      failure: 'notSecureConnection',
      detail: 'no TLS: bad certificate',
    };
    await form('right', { connection_test: () => ({ ...report, token: 'unclear', ...told }) });
    await press('connect-test');
    const shown = (await byTestId('connect-report')).textContent;
    expect(shown).toContain('No secure connection');
    expect(shown).not.toContain('no TLS');
  });

  it('blames the store ID no more than the product that it was tested with', async () => {
    await form('right', {
      connection_test: () => ({ ...report, store: 'bad', product: sample.REFERENCE }),
    });
    await press('connect-test');
    const shown = (await byTestId('connect-store')).textContent;
    expect(shown).toContain('Store ID or product not known');
    expect(shown).toContain(sample.REFERENCE);
  });

  it('connects with a token that the service refused only after a question', async () => {
    const fake = await form('wrong', {
      connection_test: () => ({ ...report, token: 'bad' }),
    });
    await press('connect-test');
    await byTestId('connect-report');
    await press('connect-submit');
    const question = await byTestId('connect-anyway');
    await waitFor(() => expect(question.textContent).toContain('until another token is set'));
    expect(fake.called('profile_connect')).toHaveLength(0);
    await press('connect-anyway-yes');
    await waitFor(() => expect(fake.called('profile_connect')).toHaveLength(1));
  });

  it('connects without that question once another token is typed', async () => {
    const fake = await form('wrong', { connection_test: () => ({ ...report, token: 'bad' }) });
    await press('connect-test');
    await byTestId('connect-report');
    await fill('connect-token', 'other');
    await press('connect-submit');
    await waitFor(() => expect(fake.called('profile_connect')).toHaveLength(1));
  });

  it('gives way to the profile that the desk uses, though connecting was reported as failed', async () => {
    const fake = await form('right', {
      profile_connect: () => {
        fake.answer('status', () => ({ ...sample.status, profile: sample.live }));
        throw refusal;
      },
    });
    await press('connect-submit');
    await byTestId('page-register');
  });

  it.each([
    ['ja', { currency: '円', termUnit: 'か月' }],
    ['en', { currency: '', termUnit: '' }],
  ] as const)(
    'offers the currency and the unit of terms as usual in %s',
    async (language, display) => {
      const fake = await form('right', {
        status: () => ({
          ...sample.status,
          profile: null,
          settings: { ...sample.status.settings, language },
        }),
      });
      await press('connect-submit');
      await waitFor(() => expect(fake.called('profile_connect')).toHaveLength(1));
      expect(fake.called('profile_connect')[0]).toMatchObject({ draft: { display } });
    },
  );

  it.each([
    ['connect-test', { connection_test: refuses() }],
    ['connect-submit', { profile_connect: refuses() }],
  ])('brings the error of %s into view', async (button, otherwise) => {
    await form('right', otherwise);
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await press(button);
    const told = await byTestId('error-notice');
    await waitFor(() =>
      expect(scrolled.mock.contexts.some((at) => (at as Element).contains(told))).toBe(true),
    );
  });

  it('goes back to the first question, with the focus', async () => {
    await form('right');
    (await byTestId('connect-back')).focus();
    await typist.keyboard('{Enter}');
    await byTestId('first-connect');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  });

  it('asks a question that neither a held Enter nor a second one answers with yes', async () => {
    const fake = await form('wrong', { connection_test: () => ({ ...report, token: 'bad' }) });
    await press('connect-test');
    await byTestId('connect-report');
    (await byTestId('connect-token')).focus();
    await typist.keyboard('{Enter}');
    const back = await byTestId('connect-anyway-back');
    back.focus();
    expect(await fireEvent.keyDown(back, { key: 'Enter', repeat: true })).toBe(false);
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(shows('connect-anyway-back')).toBe(false));
    expect(fake.called('profile_connect')).toHaveLength(0);
  });

  it('cannot be tested while it connects, which would lose the answer', async () => {
    const [waits, answer] = held();
    const fake = await form('right', { profile_connect: waits });
    await press('connect-submit');
    await waitFor(() => expect(fake.called('profile_connect')).toHaveLength(1));
    await press('connect-test');
    expect(fake.called('connection_test')).toEqual([]);
    fake.answer('status', () => sample.status);
    answer(sample.live);
    await byTestId('page-register');
  });

  it('says once that there is no keychain, beside the button that failed for it', async () => {
    await form('token', {
      status: () => ({ ...sample.status, profile: null, keychain: 'noKeychain' }),
      profile_connect: refuses({ ...refusal, code: 'noKeychain', next: 'computer' }),
    });
    await byTestId('keychain-notice');
    await press('connect-submit');
    expect((await byTestId('error-notice')).textContent).toContain('gnome-keyring');
    expect(shows('keychain-notice')).toBe(false);
  });
});

it('says beside the button that practice is being prepared', async () => {
  const [waits] = held();
  await startWindow('register', {
    status: () => ({ ...sample.status, profile: null }),
    profile_practise: waits,
  });
  const button = await byTestId('first-practise');
  const told = document.querySelector('main > .middle > [role="status"]');
  await typist.click(button);
  await waitFor(() => expect(told?.textContent ?? '').toContain(t('firstRun.preparing')));
});
