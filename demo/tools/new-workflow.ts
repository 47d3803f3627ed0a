/** What the editor starts with for a new workflow. */
export const NEW_WORKFLOW = `name: my-workflow
description: Asks for a name and says hello.
blocks:
  - id: who
    type: GetInput
    inputs:
      prompt: What is your name?

  - id: hello
    type: EchoBlock
    depends_on: [who]
    inputs:
      message: Hello, \${blocks.who.outputs.input_value}!

outputs:
  greeting: \${blocks.hello.outputs.echoed}
`;
