export { SearchFilter } from './SearchFilter.tsx';
export { SelectFilter } from './SelectFilter.tsx';
