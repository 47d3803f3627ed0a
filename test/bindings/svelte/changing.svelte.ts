/** Properties of a component that a test may change. */
export function changing<Props extends object>(first: Props): Props {
  const props = $state(first);
  return props;
}
