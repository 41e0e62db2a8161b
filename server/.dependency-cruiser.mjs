// The rules of imports between folders. A `#` import crosses a wall, a relative import stays in its room; direction
// is main → features (in the order of feature-order.ts) → mail → platform, and providers are wired in main.
// test/architecture.prove.ts plants a violation of every rule below and expects each to fire: dependency-cruiser
// reports success when it cannot parse a tree, so a green run alone proves nothing.
import { FEATURE_ORDER } from './src/main/feature-order.ts';

const FEATURE = '^src/features/';
const TEST_CODE = '(\\.(test|e2e|prove|bench|conformance)\\.ts$)|(/test-kit\\.ts$)|^(test|bench|checks|scripts)/';

const error = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    error('no-cycles', 'Two files that need each other are one, or a third is missing.', {}, { circular: true }),
    error('nothing-unresolved', 'The import leads nowhere.', {}, { couldNotResolve: true }),
    error(
      'platform-knows-nobody',
      'The platform serves every feature and knows none of them.',
      { path: '^src/platform/' },
      { path: '^src/(features|mail|providers|main)/' },
    ),
    error(
      'mail-knows-only-platform',
      'Mail knowledge is free of business.',
      { path: '^src/mail/' },
      { path: '^src/(features|providers|main)/' },
    ),
    error(
      'providers-know-no-feature',
      'A provider hands bytes to somebody; what they mean is decided above it.',
      { path: '^src/providers/' },
      { path: '^src/(features|main)/' },
    ),
    error(
      'features-do-not-know-main',
      'main wires the features; a feature that reaches back cannot be started without it.',
      { path: FEATURE },
      { path: '^src/main/' },
    ),
    error(
      'features-only-through-index',
      'A feature shows its face (index.ts) and nothing else.',
      { path: `${FEATURE}([^/]+)/` },
      { path: `${FEATURE}([^/]+)/`, pathNot: [`${FEATURE}$1/`, `${FEATURE}[^/]+/index\\.ts$`] },
    ),
    error(
      'faces-only-in-main',
      'main and the platform see a feature through its face too.',
      { path: '^src/(main|mail|platform|providers)/', pathNot: TEST_CODE },
      { path: FEATURE, pathNot: `${FEATURE}[^/]+/index\\.ts$` },
    ),
    error(
      'nobody-imports-their-own-face',
      'Inside the room, import the file that has the name.',
      { path: `${FEATURE}([^/]+)/`, pathNot: TEST_CODE },
      { path: `${FEATURE}$1/index\\.ts$` },
    ),
    error(
      'walls-are-crossed-with-a-hash',
      'Write #platform/…, #mail/…, #providers/… or #features/name: a reader sees the wall without a tool.',
      { path: '^src/(features/[^/]+|mail|platform|providers|main)/' },
      { path: '^src/', pathNot: '^src/$1/', dependencyTypesNot: ['aliased'] },
    ),
    error(
      'concrete-providers-are-wired-in-main',
      'Everybody else knows the contract in providers/email-provider.ts.',
      { path: '^src/', pathNot: '^src/(main|providers)/' },
      { path: '^src/providers/[^/]+/' },
    ),
    error(
      'nothing-sends-mail-but-the-outbox',
      'One queue, one pace, one record: every message leaves through it.',
      { path: FEATURE, pathNot: [`${FEATURE}outbox/`, TEST_CODE] },
      { path: '^src/providers/' },
    ),
    error(
      'no-verb-knows-http',
      'Features declare routes as data (#platform/http/route.ts); the same verbs serve other ways in.',
      { path: '^src/(features|mail|providers|platform)/', pathNot: ['^src/platform/http/', TEST_CODE] },
      { path: '(^|/)node_modules/(fastify|@fastify)/' },
    ),
    error(
      'only-routes-answer',
      'A verb returns a record or throws a name; its route makes the answer of it. A page is one: it has its own policy.',
      { path: FEATURE, pathNot: ['/(routes|feature)\\.ts$', '/pages/', TEST_CODE] },
      { path: '^src/platform/http/route\\.ts$' },
    ),
    error(
      'product-needs-no-test-code',
      'What runs in production must not lean on tests, benches or checks.',
      { path: '^src/', pathNot: TEST_CODE },
      { path: TEST_CODE },
    ),
    error(
      'product-needs-no-dev-dependency',
      'It would be missing in production.',
      { path: '^src/', pathNot: TEST_CODE },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    error(
      'one-way-to-the-database',
      'Statements go through #platform/db; a second client would escape its pool and its time limits.',
      { path: '^src/', pathNot: ['^src/platform/(db|postgres)/', TEST_CODE] },
      { path: '(^|/)node_modules/(@types/)?pg/' },
    ),
    error(
      'one-way-to-other-peoples-servers',
      'What customers can name is reached through #platform/safe-fetch, or asked by #platform/dns: both judge where it leads.',
      { path: '^src/', pathNot: ['^src/platform/(safe-fetch|dns)/', '^src/providers/', TEST_CODE] },
      {
        path: '(^(node:)?(http|https|http2|dgram)$)|((^|/)node_modules/(undici|@aws-sdk|@smithy)/)',
        dependencyTypesNot: ['type-only'],
      },
    ),
    error(
      'one-template-engine',
      'Its defaults read files: #features/templates takes that away, and bounds what rendering costs.',
      { path: '^src/', pathNot: ['^src/features/templates/', TEST_CODE] },
      { path: '(^|/)node_modules/liquidjs/' },
    ),
    ...FEATURE_ORDER.slice(1).map((below, index) =>
      error(
        `order-${below}`,
        'Upward effect? Announce it and let the higher feature react.',
        { path: `${FEATURE}${below}/` },
        { path: `${FEATURE}(${FEATURE_ORDER.slice(0, index + 1).join('|')})/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
