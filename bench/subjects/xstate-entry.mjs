export * from "xstate";
