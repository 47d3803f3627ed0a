/** A workflow file as text, as the bundler imports it. */
declare module "*.yaml?raw" {
  const text: string;
  export default text;
}
