/** Where millions have their mailbox: many may well sign up at once. */
const LARGE_PROVIDERS = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com aol.com ' +
    'proton.me protonmail.com gmx.de gmx.net web.de t-online.de orange.fr free.fr laposte.net wanadoo.fr libero.it ' +
    'yahoo.co.jp docomo.ne.jp ezweb.ne.jp softbank.ne.jp qq.com 163.com 126.com naver.com uol.com.br bol.com.br ' +
    'terra.com.br yandex.ru mail.ru comcast.net'
  ).split(' '),
);

export const isLargeProvider = (domain: string): boolean => LARGE_PROVIDERS.has(domain);
