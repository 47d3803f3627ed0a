/** A workflow file as text, as the bundler imports it. */
declare module "*.yaml?raw" {
  const text: string;
  export default text;
}

/** The address of a file that the bundler puts beside the page. */
declare module "*.json?url" {
  const address: string;
  export default address;
}
