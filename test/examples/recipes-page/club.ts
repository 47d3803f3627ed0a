import type { Workflow } from "wavepoint";

/** One question with one value, and one with every kind of field that the recipes draw. */
export const CLUB: Workflow = {
  name: "club",
  blocks: [
    { id: "sport", type: "AskChoice", inputs: { question: "Which sport?", choices: ["Rowing", "Sailing"] } },
    {
      id: "member",
      type: "Form",
      dependsOn: ["sport"],
      inputs: {
        title: "Membership",
        prompt: "Who comes?",
        schema: {
          type: "object",
          properties: {
            name: { type: "string", title: "Name", minLength: 1, maxLength: 20 },
            age: { type: "integer", title: "Age", minimum: 12, maximum: 99 },
            since: { type: "string", title: "Since", format: "date" },
            boat: {
              type: "integer",
              title: "Boat",
              oneOf: [
                { const: 1, title: "Gig" },
                { const: 2, title: "Skiff" },
                { const: 3, title: "Dinghy" },
              ],
            },
            days: {
              type: "array",
              title: "Days",
              items: {
                type: "string",
                oneOf: [
                  { const: "sat", title: "Saturday" },
                  { const: "sun", title: "Sunday" },
                ],
              },
            },
            letter: { type: "boolean", title: "A letter now and then", default: false },
            about: { type: "string", title: "About you", format: "multiline" },
            address: { type: "object", title: "Address", properties: { town: { type: "string", title: "Town" } }, required: ["town"] },
          },
          required: ["name", "age", "since", "boat", "address"],
        },
      },
    },
  ],
  outputs: { choice: "${blocks.sport.choice}", member: "${blocks.member.outputs}" },
};
