/**
 * The journal of the run in canonical.test.ts, as it was first written in this form. What it says in another form is another form: stored runs
 * could not be compared any more. Entries longer than 5,000 characters are cut.
 */
export const CANONICAL_JOURNAL: readonly string[] = [
  String.raw`run_0mjuohs0000001m0izyampfzgh5e85h`,
  String.raw`{"type":"started","version":1,"workflow":"canonical","definition":"855b4f444b52b5041fc03aaced6d9e6624b6698b3ff6a0becf76d50264921d28","inputs":{"name":"Ada"},"at":1767225600000}`,
  String.raw`{"type":"completed","block":"plain","at":0,"given":"1r9neko4exrym1gear5d1yxtieg","outputs":{"9":2,"10":1,"b":1,"a":[true,null,"Zoë 🌊   \ud800"]}}`,
  String.raw`{"type":"completed","block":"rich","at":0,"given":"1b42vak13uxjkhuobud4xgjmoj","outputs":{"~":"[{\"numbers\":1,\"odd\":11,\"dates\":13,\"maps\":18,\"bytes\":27,\"large\":35,\"twice\":38,\"own\":50},[2,3,4,5,6,7,8,9,10],0,-1,1.5,1e+21,1e-7,0.30000000000000004,9007199254740992,5e-324,123456789012345680000,[-6,-3,-4,-5,12,-1],[\"BigInt\",\"1267650600228229401496703205376\"],[14,15,16,17],[\"Date\",\"1970-01-01T00:00:00.000Z\"],[\"Date\",\"2026-11-21T08:30:00.007Z\"],[\"Date\",\"-000001-01-01T00:00:00.000Z\"],[\"Date\",\"\"],[\"Map\",19,22,25,21,24,26],{\"key\":20},[21],1,[\"Set\",23,24,21],\"b\",\"a\",\"z\",null,[28,30,32,34],[\"Uint8Array\",29],[\"ArrayBuffer\",\"AH//\"],[\"Float64Array\",31],[\"ArrayBuffer\",\"GC1EVPshCUAAAAAAAAAAgA==\"],[\"Uint8Array\",33],[\"ArrayBuffer\",\"AgM=\"],[\"ArrayBuffer\",\"CQ==\"],[\"StoredBytes\",36],[37,2],\"Uint8Array\",[39,45],{\"unicode\":40,\"nested\":41},\"Zoë 🌊 \\u2028 \\ud800 \\u0000 \\\"'\\\\/\",[42,44],[43],[],{},{\"unicode\":40,\"nested\":46},[47,49],[48],[],{},[51,55],[\"SerializedObject\",52],[53,54],\"point\",{\"x\":21,\"y\":-6},[\"Map\",56,57],\"p\",[\"SerializedObject\",58],[53,59],{\"x\":60,\"y\":61},0.5,2]","blobs":["39c3ef4e26871b05275c4020ed51e1ac0c5fb13b8e3bfc9bb8de7a3dab4fed65"]}}`,
  String.raw`{"type":"completed","block":"long","at":0,"given":"1kmfqgzdv295z170f0cb1a7jhho","outputs":{"list":["… 33991 characters`,
  String.raw`{"type":"paused","block":"asks","at":0,"given":"1m3bpp51fzcdoe1dqhpby108ovzt","pause":0,"prompt":"Où? 🌊","schema":{},"metadata":{"~":"[{\"asked\":1,\"place\":2},[\"Date\",\"1970-01-01T00:00:00.001Z\"],[\"SerializedObject\",3],[4,5],\"point\",{\"x\":6,\"y\":7},3,4]"}}`,
  String.raw`{"type":"answered","pause":0,"response":{"~":"[{\"when\":1,\"where\":2,\"file\":8},[\"Date\",\"1970-01-01T00:00:00.002Z\"],[\"SerializedObject\",3],[4,5],\"point\",{\"x\":6,\"y\":7},-1,1,[\"StoredBytes\",9],[10,11],\"Uint8Array\",0]","blobs":["65b1a2562f90dff29ded0497a3ae57ff2c231bb01a64a44c330b02773bfe67ce"]},"at":0}`,
  String.raw`{"type":"completed","block":"asks","at":0,"given":"1m3bpp51fzcdoe1dqhpby108ovzt.t5vy3f17kxj7n1qk32dhb1sx1a","outputs":{"~":"[{\"response\":1,\"metadata\":13},{\"when\":2,\"where\":3,\"file\":9},[\"Date\",\"1970-01-01T00:00:00.002Z\"],[\"SerializedObject\",4],[5,6],\"point\",{\"x\":7,\"y\":8},-1,1,[\"StoredBytes\",10],[11,12],\"Uint8Array\",0,{\"asked\":14,\"place\":15},[\"Date\",\"1970-01-01T00:00:00.001Z\"],[\"SerializedObject\",16],[5,17],{\"x\":18,\"y\":19},3,4]","blobs":["65b1a2562f90dff29ded0497a3ae57ff2c231bb01a64a44c330b02773bfe67ce"]}}`,
  '{"type":"skipped","block":"never","at":0,"reason":{"kind":"condition","condition":"${inputs.name} == \'Grace\'"}}',
  String.raw`{"type":"finished","status":"completed","at":0,"outputs":{"~":"[{\"dates\":1,\"answer\":6},[2,3,4,5],[\"Date\",\"1970-01-01T00:00:00.000Z\"],[\"Date\",\"2026-11-21T08:30:00.007Z\"],[\"Date\",\"-000001-01-01T00:00:00.000Z\"],[\"Date\",\"\"],{\"when\":7,\"where\":8,\"file\":14},[\"Date\",\"1970-01-01T00:00:00.002Z\"],[\"SerializedObject\",9],[10,11],\"point\",{\"x\":12,\"y\":13},-1,1,[\"StoredBytes\",15],[16,17],\"Uint8Array\",0]","blobs":["65b1a2562f90dff29ded0497a3ae57ff2c231bb01a64a44c330b02773bfe67ce"]}}`,
];

/** Hashes of its definition and its blobs, and of all its entries in full. */
export const CANONICAL_HASHES = {
  definition: "855b4f444b52b5041fc03aaced6d9e6624b6698b3ff6a0becf76d50264921d28",
  blobs: [
    "39c3ef4e26871b05275c4020ed51e1ac0c5fb13b8e3bfc9bb8de7a3dab4fed65",
    "65b1a2562f90dff29ded0497a3ae57ff2c231bb01a64a44c330b02773bfe67ce",
  ],
  whole: "1399a257881b8b75d2a6220ad5d412c515c79f421356e12f535ebb838b5f4598",
};
