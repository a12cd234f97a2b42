import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/table.css';
import './paper/paper.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { LANGUAGES, setLanguage } from './i18n/language.svelte';

// Until the desk says what was chosen: the language of this computer, and Japanese where it is none
// of ours.
const here = navigator.language.slice(0, 2);
setLanguage(LANGUAGES.find((language) => language === here) ?? 'ja');

const target = document.getElementById('app');
if (target) mount(App, { target });
