/** The forms of this folder by their names; each is loaded when it is shown. */
export const FORMS: Readonly<Record<string, () => Promise<{ readonly default: string }>>> = {
  "body-mass": () => import("./body-mass.yaml?raw"),
  developer: () => import("./developer.yaml?raw"),
  equipment: () => import("./equipment.yaml?raw"),
  feedback: () => import("./feedback.yaml?raw"),
  "fishing-licence": () => import("./fishing-licence.yaml?raw"),
  harbour: () => import("./harbour.yaml?raw"),
  "medical-history": () => import("./medical-history.yaml?raw"),
  "music-camp": () => import("./music-camp.yaml?raw"),
  "phq-9": () => import("./phq-9.yaml?raw"),
  "water-damage": () => import("./water-damage.yaml?raw"),
};
