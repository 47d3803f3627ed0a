import { loadWorkflow } from "wavepoint/yaml";

export const deploy = loadWorkflow(`
name: deploy
description: Deploys a service once a person agrees.
tags: [operations]
inputs:
  service: { type: string, description: What is deployed. }
blocks:
  - id: sure
    type: ConfirmOperation
    inputs: { message: "Deploy \${inputs.service}?", operation: deploy }
  - id: traffic
    type: AskChoice
    inputs: { question: How much traffic?, choices: [all, half, "10 percent"] }
  - id: note
    type: GetInput
    depends_on: [sure, traffic]
    condition: \${blocks.sure.outputs.confirmed}
    inputs: { prompt: A note for the log? }
outputs:
  confirmed: \${blocks.sure.outputs.confirmed}
  traffic: \${blocks.traffic.outputs.choice}
  note: \${blocks.note.outputs.input_value}
`);

export const add = loadWorkflow(`
name: add
description: Adds two numbers.
tags: [tools, public]
inputs:
  a: { type: number }
  b: { type: number, default: 2 }
blocks:
  - id: sum
    type: Compute
    inputs: { formulas: { sum: "a + b" }, variables: { a: "\${inputs.a}", b: "\${inputs.b}" } }
outputs:
  sum: \${blocks.sum.outputs.sum}
`);
