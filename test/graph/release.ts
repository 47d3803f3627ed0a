import type { Workflow } from "wavepoint";

/** A workflow with everything that a graph shows. */
export const release: Workflow = {
  name: "release",
  description: "Builds & publishes.",
  blocks: [
    { id: "publish", type: "HttpCall", dependsOn: ["ask", { block: "tests", required: false }, "build"] },
    { id: "build", type: "Shell", description: "Makes the files." },
    { id: "ask", type: "ConfirmOperation" },
    { id: "tests", type: "Shell", dependsOn: ["build"], condition: "${inputs.tested}", forEach: ["unit", "whole"] },
  ],
};

/** Texts of a workflow that mean to be more than text. */
export const hostile: Workflow = {
  name: '</title><script>alert(1)</script>"',
  description: "]]><!-- & \u0000\u001b[2J\ud800 -->",
  blocks: [
    {
      id: "a",
      type: '"]; click b0 call alert(1) <img src=x onerror=alert(1)>',
      description: "url(https://example.com/)",
      condition: '%%{init: {"securityLevel": "loose"}}%% `x` "#quot;"\nend',
    },
  ],
};
