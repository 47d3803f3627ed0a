// Each test file loads this anew; what it imports is done once a process.
import "./guarded-state.ts";
