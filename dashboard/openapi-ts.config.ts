import { defineConfig } from '@hey-api/openapi-ts';

/** `npm run gen:client`: the client of Posthorn's API, from the description that the server generates of itself. */
export default defineConfig({
  input: '../server/openapi.json',
  output: { path: 'src/api/generated', importFileExtension: '.ts' },
  plugins: [
    '@hey-api/typescript',
    // A browser proves itself with its cookie.
    { name: '@hey-api/sdk', auth: false },
    { name: '@hey-api/client-fetch', throwOnError: true, runtimeConfigPath: './src/api/client-config.ts' },
    // Pages of lists are read with their cursor (`api/use-list.ts`), not with the infinite queries of the generator.
    { name: '@tanstack/react-query', infiniteQueryOptions: false, useMutation: false },
  ],
});
