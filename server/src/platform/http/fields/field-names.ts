/** The names of the fields that a schema knows at its top, in all branches of a union. */
export function fieldNamesOf(schema: object | undefined): string[] {
  if (schema === undefined) return [];
  const { properties, anyOf, allOf }: { properties?: object; anyOf?: object[]; allOf?: object[] } = schema;
  return [...Object.keys(properties ?? {}), ...[...(anyOf ?? []), ...(allOf ?? [])].flatMap(fieldNamesOf)];
}
