import { mount } from "svelte";
import Hello from "./hello.svelte";

mount(Hello, { target: document.querySelector("#app")! });
