import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/table.css';
import './paper/paper.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { LANGUAGES, setLanguage } from './i18n/language.svelte';

// Until the settings are read, use the language of this computer, or Japanese if it is not
// supported.
const here = navigator.language.slice(0, 2);
setLanguage(LANGUAGES.find((language) => language === here) ?? 'ja');

const target = document.getElementById('app');
if (target) mount(App, { target });
