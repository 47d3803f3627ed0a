import { createApp } from "vue";
import Hello from "./hello.vue";

createApp(Hello).mount("#app");
