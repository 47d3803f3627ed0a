export { filesystemStore } from "../../dist/store/filesystem.js";
